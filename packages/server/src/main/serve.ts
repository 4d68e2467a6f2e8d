// zonereeve serve: runs until it is asked to stop.
import type { Config } from '../config/index.ts'
import { systemClock } from '../platform/clock.ts'
import { randomIds } from '../platform/ids.ts'
import { startApp, type App } from './app.ts'
import { lockDataFolder } from './data-lock.ts'
import { createLog } from './log.ts'

export async function serve(config: Config): Promise<void> {
  const unlock = await lockDataFolder(config)
  try {
    await runUntilStopped(config, { inMemory: false }, async ({ newToken }) => {
      if (newToken !== undefined) {
        process.stdout.write(`administrator's token (shown once): ${newToken}\n`)
      }
    })
  } finally {
    unlock()
  }
}

/** Starts the program, prints the ready line, and stops it in order on SIGTERM or SIGINT. */
export async function runUntilStopped(
  config: Config,
  { inMemory }: { readonly inMemory: boolean },
  started: (app: App) => Promise<void>,
): Promise<void> {
  const log = createLog(config.logLevel)
  for (const warning of config.warnings) log.warn({ warning }, 'configuration')
  const stopping = stopSignal()
  const app = await startApp({ config, clock: systemClock(), ids: randomIds(), log, inMemory })
  try {
    await started(app)
    process.stdout.write(`ready http=${httpUrl(app)} dns=${hostPort(app.dns)}${encryptedText(app)}\n`)
    log.info(
      { http: app.http, dns: app.dns, tls: app.tls, https: app.https, profile: config.profile },
      'ready',
    )
    const signal = await stopping
    log.info({ signal }, 'stopping')
  } finally {
    await app.close()
    log.info({}, 'stopped')
    log.flush()
  }
}

/** Of transports that are on. */
function encryptedText({ tls, https }: App): string {
  const tlsText = tls === undefined ? '' : ` dns-tls=${hostPort(tls)}`
  return https === undefined ? tlsText : `${tlsText} dns-https=https://${hostPort(https)}/dns-query`
}

export const httpUrl = (app: App): string => `http://${hostPort(app.http)}`

export function hostPort({ host, port }: { readonly host: string; readonly port: number }): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve(signal))
  })
}
