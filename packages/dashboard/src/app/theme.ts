// The theme: the system's, unless the reader chose one. Kept in this browser.
export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const KEY = 'zonereeve.theme'

const isTheme = (value: unknown): value is Theme => THEMES.some((theme) => theme === value)

export function readTheme(): Theme {
  const chosen = localStorage.getItem(KEY)
  return isTheme(chosen) ? chosen : 'system'
}

export function setTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme)
  showTheme(theme)
}

export function showTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}
