// Seeded random choices, so that the data is reproducible.

export interface Variation {
  /** At least 0 and below 1. */
  readonly random: () => number
  readonly pick: <T>(items: readonly T[]) => T
  readonly chance: (share: number) => boolean
  readonly number: (from: number, to: number) => number
  /** A variable name, the same for the same number. */
  readonly id: (index: number) => string
  /** A URL with a path on another host. The host names are reserved. */
  readonly address: () => string
  readonly key: (length: number) => string
}

const WORDS = [
  'data',
  'send',
  'info',
  'stat',
  'ajax',
  'page',
  'load',
  'init',
  'elem',
  'opts',
  'form',
  'item',
  'node',
  'list',
  'text',
  'conf',
  'base',
  'main',
  'util',
  'core',
  'track',
  'visit',
  'user',
  'view',
  'result',
  'value',
  'handler',
  'callback',
  'params',
  'temp',
]
const HOSTS = [
  'cdn',
  'static',
  'stats',
  'js',
  'api',
  'secure',
  'assets',
  'analytics',
  'web',
  'content',
  'img',
  'counter',
  'magento',
  'google-cdn',
  'jquery-lib',
  'fonts',
  'app',
  'sync',
]
const ZONES = [
  'example.com',
  'example.net',
  'example.org',
  'shop.example',
  'stats.example',
  'cdn.example',
  'top.example',
  'host.test',
  'site.invalid',
]
const PATHS = [
  'gate.php',
  'collect',
  'api/v1/log',
  'js/mage.js',
  'img/1.gif',
  'pixel',
  'a',
  'save.php',
  'track',
  'ajax/index.php',
  'i',
  'checkout/get',
  'g/collect',
  'stat/',
  'ping',
  'x.php',
  'upload',
  's.js',
  'order',
  'lib/jquery.min.js',
  'widget.js',
  'v2/events',
  '',
]

/** Choices that depend only on a string. */
export function createVariation(seed: string): Variation {
  const random = createRandom(seed)
  const pick = <T>(items: readonly T[]): T => {
    const item = items[Math.floor(random() * items.length)]
    if (item === undefined) throw new Error('nothing to pick from')
    return item
  }
  const key = (length: number): string =>
    Array.from({ length }, () => pick([...'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789'])).join(
      '',
    )
  const style = pick(['word', 'short', 'camel', 'under'] as const)
  const names: string[] = []
  const id = (index: number): string => {
    const made = (): string => {
      if (style === 'short')
        return pick([...'abcdefghijklmnopqrstuvwxyz']) + pick(['', '', 'a', 'n', 't', '1', '2'])
      if (style === 'camel') return pick(WORDS) + pick(WORDS).replace(/^./u, (c) => c.toUpperCase())
      return style === 'under' ? `_${pick(WORDS)}${pick(['', '_', '2'])}` : pick(WORDS)
    }
    while (names.length <= index) {
      // Adds a number when the words run out.
      const name = made() + (names.length > 12 ? String(names.length) : '')
      if (!names.includes(name) && !/^(?:do|if|in|is|as)$/u.test(name)) names.push(name)
    }
    return names[index] ?? 'x'
  }
  return {
    random,
    pick,
    chance: (share) => random() < share,
    number: (from, to) => from + Math.floor(random() * (to - from + 1)),
    id,
    address: () =>
      `${pick(['https://', 'https://', '//', 'http://'])}${pick(HOSTS)}${pick(['', '', '-', '.'])}${pick(['', key(3).toLowerCase()])}.${pick(ZONES)}/${pick(PATHS)}`
        .replace('..', '.')
        .replace('-.', '.'),
    key,
  }
}

/** A generator of numbers from 0 to below 1 (xorshift with a hash of the seed). */
export function createRandom(seed: string): () => number {
  let state = 2_166_136_261
  for (let i = 0; i < seed.length; i += 1) state = Math.imul(state ^ seed.charCodeAt(i), 16_777_619)
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 4_294_967_296
  }
}

/** One family of generated scripts; all scripts of a family are held out together. */
export interface Family {
  readonly name: string
  readonly label: 'benign' | 'magecart' | 'cryptomining' | 'malware'
  readonly make: (v: Variation) => string
}
