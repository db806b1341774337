export default { get( };
