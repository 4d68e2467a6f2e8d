export {
  ConfigError,
  databasePath,
  environmentWithoutSettings,
  loadConfig,
  postgresOf,
  withPassword,
  type Config,
} from './config.ts'
export { environmentName, SETTINGS, type Endpoint } from './settings.ts'
