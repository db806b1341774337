export { isStatic, NODE_PATH, NODE_ROLES, type NodeRole, programPath } from "./programs.ts";
export {
  CONSOLE_PATH,
  type HandedResource,
  type InitMethod,
  isRole,
  listRoles,
  RESERVED_NAMES,
  ROLE_NAMES,
  ROLES,
  type Role,
  type RoleKind,
  type RoleRow,
  type RuntimeInterface,
} from "./roles.ts";
export {
  findLibraryProgram,
  findLibraryService,
  IMPLEMENTATION_NAMES,
  IMPLEMENTATIONS,
  type Implementation,
  LIBRARY_SERVICES,
} from "./services.ts";
