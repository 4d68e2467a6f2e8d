export { userRoutes } from './users.routes.ts'
export { createUsers } from './users.service.ts'
export {
  deleteUser,
  findFirstUser,
  findUser,
  findUserByEmail,
  insertUser,
  listUsers,
  updateUser,
  updateUserCredentials,
  type User,
} from './users.store.ts'
