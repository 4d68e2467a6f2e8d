// zonereeve serve: runs until it is asked to stop.
import type { Config } from '../../config/index.ts'
import { randomIds, systemClock } from '@zonereeve/platform'
import { startApp, type App, type AppOptions } from '../app.ts'
import { createLog } from '../process/log.ts'
import { hostPort, signInUrl } from './sign-in-url.ts'
import { fitConnections } from '../process/open-files.ts'
import { surviveStrayErrors } from '../process/stray-errors.ts'
import type { TestServer } from './serve-for-tests.ts'
import { stopSignal } from './stop-signal.ts'

export async function serve(config: Config): Promise<void> {
  const { testControl } = config
  const testing = testControl === undefined ? undefined : await import('./serve-for-tests.ts')
  let control: TestServer | undefined
  const start = async (options: AppOptions): Promise<App> => {
    if (testing === undefined || testControl === undefined) return startApp(options)
    control = await testing.startTestServer(options, testControl)
    return testing.appOf(control)
  }
  await runUntilStopped(config, { inMemory: false, start }, async (app) => {
    if (control !== undefined)
      process.stdout.write(`test control: http://${hostPort(control.control)} token ${control.token}\n`)
    const { newToken, newLink } = app
    if (newToken !== undefined) {
      process.stdout.write(`administrator's token (shown once): ${newToken}\n`)
    }
    if (newLink !== undefined)
      process.stdout.write(`sign in (once, within 30 minutes): ${signInUrl(config, app.http, newLink)}\n`)
    return undefined
  })
}

/** What runs beside the program, and ends before it. */
export interface Beside {
  close(): Promise<void>
}

type Start = (options: AppOptions) => Promise<App>

/** Starts the program, prints the ready line, and stops it in order on SIGTERM or SIGINT. */
export async function runUntilStopped(
  config: Config,
  { inMemory, seed, start = startApp }: Pick<AppOptions, 'inMemory' | 'seed'> & { readonly start?: Start },
  started: (app: App) => Promise<Beside | undefined>,
): Promise<void> {
  const log = createLog(config.logLevel, config.logFormat)
  for (const warning of config.warnings) log.warn({ warning }, 'configuration')
  const stopping = stopSignal()
  const unwatch = surviveStrayErrors(log)
  const startWith = (used: Config): Promise<App> =>
    start({
      config: used,
      clock: systemClock(),
      ids: randomIds(),
      log,
      inMemory,
      seed,
      droppedLogLines: () => log.droppedLines,
    })
  const fitting = fitConnections(config, log)
  let app = await startWith(fitting)
  let beside: Beside | undefined
  const reload = (): void => void app.reloadCertificate()
  // Closing a terminal sends this signal too: there it ends the program.
  if (!process.stderr.isTTY) process.on('SIGHUP', reload)
  try {
    beside = await started(app)
    process.stdout.write(`ready http=${httpUrl(app)} dns=${hostPort(app.dns)}${otherListeners(app)}\n`)
    log.info(
      {
        http: app.http,
        secure: app.secure && { host: app.secure.host, port: app.secure.port },
        dns: app.dns,
        tls: app.tls,
        https: app.https,
        metrics: app.metrics,
        profile: config.profile,
      },
      'ready',
    )
    for (;;) {
      const signal = await Promise.race([stopping, app.lost ?? stopping])
      if (signal !== undefined) {
        log.info({ signal }, 'stopping')
        break
      }
      // Another node writes now: what is in memory may be ahead of the database.
      const { http, dns } = app
      await app.close()
      app = await startWith({ ...fitting, http, dns })
      log.info({ http, dns }, 'started again')
    }
  } finally {
    await beside?.close()
    await app.close()
    log.info({}, 'stopped')
    await log.flush()
    process.off('SIGHUP', reload)
    unwatch()
  }
}

/** Those that are on. */
function otherListeners({ secure, tls, https, metrics }: App): string {
  return [
    secure && ` https=https://${hostPort(secure)}`,
    tls && ` dns-tls=${hostPort(tls)}`,
    https && ` dns-https=https://${hostPort(https)}/dns-query`,
    metrics && ` metrics=http://${hostPort(metrics)}/metrics`,
  ]
    .filter((text) => text !== undefined)
    .join('')
}

export const httpUrl = (app: App): string => `http://${hostPort(app.http)}`
