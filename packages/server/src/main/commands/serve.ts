// zonereeve serve: runs until it is asked to stop.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '@zonereeve/config'
import { type Log, randomIds, surviveStrayErrors, systemClock } from '@zonereeve/platform'
import { startApp, type App, type AppOptions } from '../app.ts'
import { createLog } from '../process/log.ts'
import { hostPort, signInUrl } from './sign-in-url.ts'
import { fitConnections } from '../process/open-files.ts'
import type { TestServer } from './serve-for-tests.ts'
import { stopSignal } from './stop-signal.ts'

/** Between attempts to start again. */
const PAUSE_MILLIS = 1_000

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
  let isRunning = true
  let beside: Beside | undefined
  const reload = (): void => void (isRunning && app.reloadCertificate())
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
      isRunning = false
      await app.close()
      const again = await startUntilStopped(() => startWith({ ...fitting, http, dns }), stopping, log)
      if (again === undefined) break
      app = again
      isRunning = true
      log.info({ http, dns }, 'started again')
    }
  } finally {
    await beside?.close()
    if (isRunning) await app.close()
    log.info({}, 'stopped')
    await log.flush()
    process.off('SIGHUP', reload)
    unwatch()
  }
}

/**
 * The database may be away for a moment: the program must not end because of it.
 *
 * @returns undefined if a signal ended the attempts.
 */
async function startUntilStopped(
  start: () => Promise<App>,
  stopping: Promise<NodeJS.Signals>,
  log: Pick<Log, 'error' | 'info'>,
): Promise<App | undefined> {
  for (;;) {
    try {
      return await start()
    } catch (failure) {
      log.error({ err: failure }, 'not started again: it is tried again')
    }
    const signal = await Promise.race([stopping, sleep(PAUSE_MILLIS)])
    if (signal === undefined) continue
    log.info({ signal }, 'stopping')
    return undefined
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
