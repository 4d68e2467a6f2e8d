// The zones that were open last, kept in this browser for the palette.
const KEY = 'zonereeve.zones'
const MAX_ZONES = 5

/** Newest first. */
export function recentZones(): readonly string[] {
  const names = localStorage.getItem(KEY)
  return names === null ? [] : names.split(' ').filter((name) => name !== '')
}

export function rememberZone(name: string): void {
  const names = [name, ...recentZones().filter((other) => other !== name)]
  localStorage.setItem(KEY, names.slice(0, MAX_ZONES).join(' '))
}
