// Paths: the base paths, and the operations that a path could mean.
import type { Operation } from '@zonereeve/contract'

export const BASE_PATH = '/client/v4'
const OTHER_BASE_PATHS = ['/api/v4', '/v4']
export const BASE_PATHS = [BASE_PATH, ...OTHER_BASE_PATHS]

/** Rewrites the other base paths to the one that routes are registered under. */
export function rewriteBasePath(url: string): string {
  for (const base of OTHER_BASE_PATHS) {
    if (url.startsWith(base) && /^[/?]|^$/.test(url.slice(base.length)))
      return BASE_PATH + url.slice(base.length)
  }
  return url
}

/** `/zones/{zone_id}` as the router writes it, `/zones/:zone_id`. */
export const routerPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1')

/** @returns the methods of the operations at this path; empty if the path is unknown. */
export function methodFinder(operations: readonly Operation[]): (path: string) => string[] {
  const known = operations.map(({ method, path }) => ({
    method,
    pattern: new RegExp(`^${BASE_PATH}${path.replace(/\{\w+\}/g, '[^/]*')}/?$`),
  }))
  return (path) => [...new Set(known.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))]
}

/** Patterns of the identifiers in a path, by name. */
export type PathPatterns = readonly (readonly [string, RegExp])[]

export function pathPatterns({ params }: Operation): PathPatterns {
  const { properties = {} } = (params ?? {}) as { properties?: Record<string, { pattern?: string }> } // an object schema
  return Object.entries(properties).map(([name, { pattern = '' }]) => [name, new RegExp(pattern)])
}
