export const get = async () => ({});
