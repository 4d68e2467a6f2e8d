// What the palette offers for what is typed: zones, pages of the zone, commands.
import { paletteStrings as text } from '../strings/palette.ts'
import { THEMES, type Theme } from './theme.ts'

export interface PaletteItem {
  readonly group: keyof typeof text.groups
  readonly label: string
  readonly keys?: string
  readonly target: { readonly path: string } | { readonly theme: Theme } | { readonly pin: string }
}

export interface PaletteContext {
  /** Name of the zone that is open, or was last. */
  readonly zone: string | undefined
  /** Path of the page, whose section a switch to another zone keeps. */
  readonly path: string
  readonly recent: readonly string[]
  readonly pinned: readonly string[]
  /** Names of zones that the server found. */
  readonly found: readonly string[]
  /** For what they were found: the answer for what is typed may not be there yet. */
  readonly foundFor: string
}

export interface Typed {
  readonly words: string
  readonly isWanted: (group: PaletteItem['group']) => boolean
}

/** `>` in front asks for commands only, `@` for zones only. */
export function readTyped(typed: string): Typed {
  const prefix = typed.charAt(0)
  if (prefix === '>') return { words: clean(typed.slice(1)), isWanted: (group) => group === 'commands' }
  if (prefix === '@') return { words: clean(typed.slice(1)), isWanted: isZones }
  return { words: clean(typed), isWanted: () => true }
}

const clean = (words: string): string => words.trim().toLowerCase()
const isZones = (group: PaletteItem['group']): boolean =>
  group === 'zones' || group === 'recent' || group === 'pinned'

export function paletteItems(typed: string, context: PaletteContext): PaletteItem[] {
  const { words, isWanted } = readTyped(typed)
  const zones =
    words === ''
      ? [
          ...context.recent.map((name) => zoneItem(name, 'recent', context)),
          ...context.pinned
            .filter((name) => !context.recent.includes(name))
            .map((name) => zoneItem(name, 'pinned', context)),
        ]
      : foundNow(words, context).map((name) => zoneItem(name, 'zones', context))
  const others = [...pages(context), ...commands(context)].filter(({ label }) => matches(label, words))
  return [...zones, ...others].filter(({ group }) => isWanted(group))
}

/** The server also finds names that are written in another way; what it found before must not be run for what is typed now. */
const foundNow = (words: string, { found, foundFor }: PaletteContext): readonly string[] =>
  foundFor === words ? found : found.filter((name) => matches(name, words))

interface LabelPart {
  readonly text: string
  readonly isTyped: boolean
}

/** The label in parts: what was typed is emphasized. */
export function labelParts(label: string, words: string): LabelPart[] {
  const found = words.split(/\s+/).filter((word) => word !== '')
  const lower = label.toLowerCase()
  // Lower case of some letters is longer, and then positions differ.
  if (lower.length !== label.length) return [{ text: label, isTyped: false }]
  const isTyped = Array.from({ length: label.length }, () => false)
  for (const word of found) {
    const start = lower.indexOf(word)
    if (start !== -1) isTyped.fill(true, start, start + word.length)
  }
  const parts: LabelPart[] = []
  for (let start = 0, end = 1; end <= label.length; end += 1) {
    if (end < label.length && isTyped[end] === isTyped[start]) continue
    parts.push({ text: label.slice(start, end), isTyped: isTyped[start] === true })
    start = end
  }
  return parts
}

/** Whether its label is the name of a zone, or the path of a page of one. */
export const isName = ({ group, label }: PaletteItem): boolean => isZones(group) || label.includes(' / ')

/** Every word somewhere in the label. */
const matches = (label: string, words: string): boolean =>
  words.split(/\s+/).every((word) => label.toLowerCase().includes(word))

const SECTION = /^\/zones\/[^/]+\/([a-z-]+)/

function zoneItem(name: string, group: 'zones' | 'recent' | 'pinned', { path }: PaletteContext): PaletteItem {
  const section = SECTION.exec(path)?.[1]
  const target = section === undefined ? `/zones/${name}` : `/zones/${name}/${section}`
  return { group, label: name, target: { path: target } }
}

const ZONE_PAGES = [
  { page: 'overview', path: '', keys: 'g o' },
  { page: 'records', path: '/records', keys: 'g r' },
  { page: 'history', path: '/history', keys: 'g h' },
  { page: 'dnssec', path: '/dnssec', keys: undefined },
  { page: 'transfers', path: '/transfers', keys: undefined },
  { page: 'query', path: '/query', keys: undefined },
  { page: 'dns-settings', path: '/dns-settings', keys: undefined },
  { page: 'scripts', path: '/scripts', keys: 'g s' },
  { page: 'connections', path: '/connections', keys: undefined },
  { page: 'cookies', path: '/cookies', keys: undefined },
  { page: 'watched-pages', path: '/pages', keys: undefined },
  { page: 'policies', path: '/policies', keys: 'g p' },
  { page: 'violations', path: '/violations', keys: undefined },
  { page: 'monitoring', path: '/monitoring', keys: undefined },
  { page: 'rules', path: '/rules', keys: 'g f' },
  { page: 'activity', path: '/activity', keys: 'g a' },
  { page: 'trace', path: '/trace', keys: undefined },
  { page: 'managed-rules', path: '/managed-rules', keys: undefined },
  { page: 'legacy-rules', path: '/legacy-rules', keys: undefined },
  { page: 'migration', path: '/migration', keys: undefined },
] as const

function pages({ zone }: PaletteContext): PaletteItem[] {
  const server: PaletteItem[] = [
    { group: 'pages', label: text.zones, keys: 'g z', target: { path: '/zones' } },
    { group: 'pages', label: text.tokens, target: { path: '/tokens' } },
    { group: 'pages', label: text.catalogs, target: { path: '/catalogs' } },
    { group: 'pages', label: text.users, target: { path: '/users' } },
    { group: 'pages', label: text.feeds, target: { path: '/feeds' } },
    { group: 'pages', label: text.webhooks, target: { path: '/webhooks' } },
    { group: 'pages', label: text.audit, target: { path: '/audit' } },
    { group: 'pages', label: text.health, target: { path: '/health' } },
    { group: 'pages', label: text.settings, target: { path: '/settings' } },
    { group: 'pages', label: text.account, target: { path: '/account' } },
  ]
  if (zone === undefined) return server
  const own = ZONE_PAGES.map(({ page, path, keys }): PaletteItem => ({
    group: 'pages',
    label: `${zone} / ${text.pages[page]}`,
    ...(keys === undefined ? {} : { keys }),
    target: { path: `/zones/${zone}${path}` },
  }))
  return [...own, ...server]
}

function commands({ zone, pinned }: PaletteContext): PaletteItem[] {
  const inZone: PaletteItem[] =
    zone === undefined
      ? []
      : [
          { group: 'commands', label: text.addRecord, target: { path: `/zones/${zone}/records?edit=new` } },
          { group: 'commands', label: text.asText, target: { path: `/zones/${zone}/records/text` } },
          { group: 'commands', label: text.explain, target: { path: `/zones/${zone}/query` } },
          { group: 'commands', label: text.traceRequest, target: { path: `/zones/${zone}/trace` } },
          { group: 'commands', label: text.compare, target: { path: `/zones/${zone}/history?compare=last` } },
          { group: 'commands', label: text.undo, target: { path: `/zones/${zone}/history` } },
          {
            group: 'commands',
            label: pinned.includes(zone) ? text.unpin(zone) : text.pin(zone),
            target: { pin: zone },
          },
        ]
  return [
    ...inZone,
    { group: 'commands', label: text.addZone, target: { path: '/zones?add=zone' } },
    { group: 'commands', label: text.importZones, target: { path: '/zones?add=files' } },
    ...THEMES.map((theme): PaletteItem => ({
      group: 'commands',
      label: text.themes[theme],
      target: { theme },
    })),
  ]
}
