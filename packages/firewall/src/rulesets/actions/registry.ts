// Every action, sorted by name: to add one, add a file and a line.
import type { ActionDefinition } from './action.ts'
import { noting, stopping } from './bare.ts'
import { block } from './block.ts'
import { compressResponse } from './compress-response.ts'
import { execute } from './execute.ts'
import { logCustomField } from './log-custom-field.ts'
import { redirect } from './redirect.ts'
import { rewrite } from './rewrite.ts'
import { route } from './route.ts'
import { score } from './score.ts'
import { serveError } from './serve-error.ts'
import { setCacheControl } from './set-cache-control.ts'
import { setCacheSettings } from './set-cache-settings.ts'
import { setCacheTags } from './set-cache-tags.ts'
import { setConfig } from './set-config.ts'
import { skip } from './skip.ts'
import { transformResponseHtml } from './transform-response-html.ts'

export const ACTIONS = {
  block,
  challenge: stopping,
  compress_response: compressResponse,
  ddos_dynamic: noting,
  execute,
  force_connection_close: stopping,
  js_challenge: stopping,
  log: noting,
  log_custom_field: logCustomField,
  managed_challenge: stopping,
  redirect,
  rewrite,
  route,
  score,
  serve_error: serveError,
  set_cache_control: setCacheControl,
  set_cache_settings: setCacheSettings,
  set_cache_tags: setCacheTags,
  set_config: setConfig,
  skip,
  transform_response_html: transformResponseHtml,
} as const satisfies Readonly<Record<string, ActionDefinition>>

export type ActionName = keyof typeof ACTIONS

export const isActionName = (text: string): text is ActionName => Object.hasOwn(ACTIONS, text)
