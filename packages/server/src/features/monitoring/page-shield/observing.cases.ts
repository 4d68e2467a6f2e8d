// What tests of monitoring begin with: monitoring on, and page views to tell of.
import type { Send } from '../../../testing/scenarios.ts'

export const SETTINGS = '/zones/{zone}/page_shield'
export const OWN = '/zonereeve/zones/{zone}/page_shield'

export const ON: Send = { method: 'PUT', path: SETTINGS, body: { enabled: true } }

export interface View {
  readonly page_url: string
  readonly observed_at?: string
  readonly scripts?: readonly string[]
  readonly connections?: readonly string[]
  readonly set_cookie?: readonly string[]
  readonly cookie?: string
}

export const observe = (...observations: readonly View[]): Send => ({
  method: 'POST',
  path: `${OWN}/observations`,
  body: { observations },
})

/** The same view `count` times. */
export const views = (count: number, view: View): readonly View[] => Array.from({ length: count }, () => view)

export const get = (path: string): Send => ({ method: 'GET', path })
