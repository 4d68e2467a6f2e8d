// A value that follows another one once it has been still for a moment: what is typed is asked of the server so.
import { useEffect, useRef, useState } from 'react'

export function useDelayed<Value>(value: Value, millis: number): Value {
  const [delayed, setDelayed] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(value), millis)
    return () => clearTimeout(timer)
  }, [value, millis])
  return delayed
}

/**
 * Calls `ask` with each value that has been still for a moment. Not with the first one: the screen that is opened shows it
 * already, and a navigation to where one is costs as much as any other.
 */
export function useSettled<Value>(value: Value, millis: number, ask: (still: Value) => void): Value {
  const still = useDelayed(value, millis)
  const asked = useRef(still)
  useEffect(() => {
    if (asked.current === still) return
    asked.current = still
    ask(still)
  })
  return still
}
