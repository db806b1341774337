export { isStatic, NODE_PATH, NODE_ROLES, type NodeRole, programPath } from "./programs.ts";
export {
  CONSOLE_PATH,
  type Handed,
  type Held,
  type InitMethod,
  isRole,
  listRoles,
  type Program,
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
  type ImplementationRow,
  LIBRARY_SERVICES,
  type LibraryService,
} from "./services.ts";
