// Whether a field has been left: only then its error is shown.
import { useRef, useState } from 'react'

/** An error that appears while a pointer is down moves what is pressed away from it, and the click is lost. */
const RELEASE_MILLIS = 200

export function useLeftField() {
  const [isLeft, setLeft] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const set = (to: boolean): void => {
    clearTimeout(timer.current)
    setLeft(to)
  }
  return {
    isLeft,
    /** Of a field that loses the focus. */
    leave: (): void => {
      clearTimeout(timer.current)
      timer.current = setTimeout(() => setLeft(true), RELEASE_MILLIS)
    },
    /** Of a field whose form is sent. */
    show: (): void => set(true),
    /** Of a field with other contents. */
    reset: (): void => set(false),
  }
}
