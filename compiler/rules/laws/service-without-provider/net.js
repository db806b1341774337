export default {
  get: async ({ url }) => ({ response: { status: 404, contentType: "text/plain", location: "", body: url } }),
  post: async ({ url }) => ({ response: { status: 404, contentType: "text/plain", location: "", body: url } }),
};
