// Options of an edge for tests: it follows a server on this machine, and keeps nothing.
import type { EdgeOptions } from '@zonereeve/edge'
import { BASE, type TestApp } from './app.ts'

export const ANY_PORT = { host: '127.0.0.1', port: 0 }

/** @param originPort undefined: there is no origin. */
export const edgeOptions = (
  { port }: Pick<TestApp, 'port'>,
  token: string,
  originPort: number | undefined,
  more: Partial<EdgeOptions> = {},
): EdgeOptions => ({
  server: { baseUrl: `http://127.0.0.1:${port}${BASE}`, token },
  folder: undefined,
  undecided: { mode: 'closed', phases: new Map() },
  decisions: ANY_PORT,
  appSecKey: undefined,
  proxy: ANY_PORT,
  origins: {
    origin: originPort === undefined ? undefined : { host: '127.0.0.1', port: originPort },
    scheme: 'http',
    isPrivateAllowed: false,
  },
  log: { info: () => undefined, warn: () => undefined },
  ...more,
})
