// One toast at a time, bottom right: what was done, and its undo for ten seconds. Errors stay until they are closed.
import { createContext, use, useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { Icon } from '../parts/icon.tsx'
import { strings } from '../strings.ts'
import { useShortcuts } from './shortcuts.ts'

export interface Toast {
  readonly text: string
  readonly isError?: boolean
  readonly undo?: () => void
}

type Show = (toast: Toast) => void

const SHOWN_MILLIS = 10_000

const ShowToast = createContext<Show>(() => undefined)

export const useToast = (): Show => use(ShowToast)

export function Toasts({ children }: { readonly children: ReactNode }) {
  const latest = useRef(0)
  const [toast, setToast] = useState<Toast & { readonly number: number }>()
  const show = useCallback<Show>((next) => {
    latest.current += 1
    setToast({ ...next, number: latest.current })
  }, [])
  const close = useCallback(() => setToast(undefined), [])
  return (
    <ShowToast value={show}>
      {children}
      <div className="toasts" role="status" aria-live="polite">
        {toast !== undefined && <ShownToast key={toast.number} toast={toast} onClose={close} />}
      </div>
    </ShowToast>
  )
}

function ShownToast({ toast, onClose }: { readonly toast: Toast; readonly onClose: () => void }) {
  const [isHeld, setHeld] = useState(false)
  const isLasting = toast.isError === true || isHeld
  useEffect(() => {
    if (isLasting) return undefined
    const timer = setTimeout(onClose, SHOWN_MILLIS)
    return () => clearTimeout(timer)
  }, [isLasting, onClose])
  const undo = (): void => {
    onClose()
    toast.undo?.()
  }
  useShortcuts(useMemo(() => (toast.undo === undefined ? {} : { z: undo }), [toast]))
  return (
    <div
      className="float toast"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span className={toast.isError === true ? 'bad' : 'dim'}>
        <Icon name={toast.isError === true ? 'wrong' : 'check'} />
      </span>
      <span>{toast.text}</span>
      {toast.undo !== undefined && (
        <button type="button" className="undo" onClick={undo}>
          {strings.toast.undo} <kbd>z</kbd>
        </button>
      )}
      <button type="button" className="btn bare close" aria-label={strings.toast.close} onClick={onClose}>
        <Icon name="close" />
      </button>
    </div>
  )
}
