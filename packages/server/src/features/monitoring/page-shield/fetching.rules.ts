// How often scripts are fetched again, and whether their sources are stored.

export interface Fetching {
  /** Minutes between successful fetches of a script. */
  readonly intervalMinutes: number
  readonly storesSources: boolean
  /** Scripts with an interval of their own, on all hosts that load them. */
  readonly scripts: readonly { readonly url: string; readonly intervalMinutes: number }[]
}

export type FetchingPatch = { readonly [Member in keyof Fetching]: Fetching[Member] | undefined }

export const DEFAULT_FETCHING: Fetching = { intervalMinutes: 24 * 60, storesSources: true, scripts: [] }

export const patchFetching = (before: Fetching, patch: FetchingPatch): Fetching => ({
  intervalMinutes: patch.intervalMinutes ?? before.intervalMinutes,
  storesSources: patch.storesSources ?? before.storesSources,
  scripts: patch.scripts ?? before.scripts,
})

export function intervalMillisOf({ intervalMinutes, scripts }: Fetching, url: string): number {
  const own = scripts.find((script) => script.url === url)
  return (own?.intervalMinutes ?? intervalMinutes) * 60_000
}
