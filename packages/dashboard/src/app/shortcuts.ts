// Single keys and two-key sequences. They work only while no field has focus, and can be switched off.
import { useEffect, useRef } from 'react'

/** By key: `n`, `/`, `g r`. */
export type Shortcuts = Readonly<Record<string, () => void>>

const SEQUENCE_MILLIS = 1_200
const KEY = 'zonereeve.keys'

export const hasSingleKeys = (): boolean => localStorage.getItem(KEY) !== 'off'
export const switchSingleKeys = (isOn: boolean): void => localStorage.setItem(KEY, isOn ? 'on' : 'off')

const FIELDS = 'input, textarea, select, [contenteditable], [role=menu], [role=dialog], [role=listbox]'

/** Calls the shortcut of a key while the component is on the page. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const current = useRef(shortcuts)
  useEffect(() => {
    current.current = shortcuts
  })
  useEffect(() => {
    let first: { readonly key: string; readonly at: number } | undefined
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (event.target instanceof Element && isField(event.target)) return
      if (!hasSingleKeys()) return
      const sequence =
        first !== undefined && event.timeStamp - first.at < SEQUENCE_MILLIS
          ? `${first.key} ${event.key}`
          : event.key
      const action = current.current[sequence] ?? current.current[event.key]
      first = { key: event.key, at: event.timeStamp }
      if (action === undefined) return
      event.preventDefault()
      action()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

const isField = (target: Element): boolean => {
  if (target instanceof HTMLInputElement && target.type === 'checkbox') return false
  return target.closest(FIELDS) !== null
}
