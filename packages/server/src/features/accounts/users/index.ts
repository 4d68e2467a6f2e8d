export { userRoutes } from './users.routes.ts'
export { createUsers } from './users.service.ts'
export {
  findFirstUser,
  findUser,
  findUserByEmail,
  insertUser,
  updateUser,
  updateUserCredentials,
  type User,
} from './users.store.ts'
