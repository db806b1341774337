export default { get_note: async () => ({ text: "" }) };
