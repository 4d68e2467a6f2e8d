export {
  ConfigError,
  databasePath,
  environmentWithoutSettings,
  loadConfig,
  postgresOf,
  type Config,
} from './config.ts'
export { SETTINGS, type Endpoint } from './settings.ts'
