export {
  ConfigError,
  databaseAt,
  databasePath,
  environmentWithoutSettings,
  loadConfig,
  postgresOf,
  type Config,
} from './config.ts'
export { environmentName, SETTINGS, type Endpoint } from './settings.ts'
