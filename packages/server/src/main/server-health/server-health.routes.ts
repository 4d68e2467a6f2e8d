// HTTP routes for the state of the server, and for its settings.
import { serverHealth as operations, type WireServerSetting } from '@zonereeve/contract'
import { SETTINGS, type Config } from '@zonereeve/config'
import { environmentName } from '@zonereeve/config'
import { route, type Route } from '../../http/index.ts'
import type { ServerHealth } from './server-health.ts'

export function serverHealthRoutes(health: Pick<ServerHealth, 'read'>, config: Config): Route[] {
  const settings = toWireSettings(config)
  return [
    route(operations.health, async () => ({ result: await health.read() })),
    route(operations.settings, async () => ({ result: settings })),
  ]
}

const toWireSettings = ({ strings, origins }: Config): WireServerSetting[] =>
  Object.entries(SETTINGS).map(([key, setting]) => {
    const known = key as keyof typeof SETTINGS // a key of the table
    const isSecret = setting.secret === true
    return {
      name: setting.name,
      environment: environmentName(setting),
      description: setting.description,
      value: isSecret ? null : (strings[known] ?? null),
      default: setting.default ?? null,
      is_set: strings[known] !== undefined && strings[known] !== '',
      is_secret: isSecret,
      origin: origins[known],
    }
  })
