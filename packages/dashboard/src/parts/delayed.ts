// A value that follows another one once it has been still for a moment: what is typed is asked of the server so.
import { useEffect, useState } from 'react'

export function useDelayed<Value>(value: Value, millis: number): Value {
  const [delayed, setDelayed] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(value), millis)
    return () => clearTimeout(timer)
  }, [value, millis])
  return delayed
}
