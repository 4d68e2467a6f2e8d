// Whether a field has been left: only then its error is shown.
import { useState } from 'react'

/** An error that appears while a pointer is down moves what is pressed away from it, and the click is lost. */
const RELEASE_MILLIS = 200

export function useLeftField() {
  const [isLeft, setLeft] = useState(false)
  return {
    isLeft,
    leave: (): void => void setTimeout(() => setLeft(true), RELEASE_MILLIS),
    /** It has other contents now. */
    reset: (): void => setLeft(false),
  }
}
