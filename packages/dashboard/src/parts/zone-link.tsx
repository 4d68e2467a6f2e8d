// A zone's name in a row of a long list. The router's own link computes where it leads, and whether one is there, on each
// change of the URL: for all rows of a table, that is a good part of the time that the change takes.
import { useRouter } from '@tanstack/react-router'
import { type MouseEvent, useRef } from 'react'

export function ZoneLink({ name }: { readonly name: string }) {
  const router = useRouter()
  const target = { to: '/zones/$zone', params: { zone: name } } as const
  // What fails here fails again when the link is followed, and is shown then.
  const preload = (): void => void router.preloadRoute(target).catch(() => undefined)
  const timer = useRef<number>(undefined)
  const preloadSoon = (): void => {
    clearTimeout(timer.current)
    timer.current = window.setTimeout(preload, HOVER_MILLIS)
  }
  const follow = (event: MouseEvent): void => {
    if (event.defaultPrevented || !isPlain(event)) return
    event.preventDefault()
    void router.navigate(target)
  }
  return (
    <a
      className="go"
      href={`/zones/${encodeURIComponent(name)}`}
      onClick={follow}
      onMouseEnter={preloadSoon}
      onMouseLeave={() => clearTimeout(timer.current)}
      onFocus={preload}
      onTouchStart={preload}
    >
      {name}
    </a>
  )
}

/** As long as the router's own links wait: a pointer that passes over rows asks for nothing. */
const HOVER_MILLIS = 50

/** Others open windows and tabs, or save the page. */
const isPlain = ({ button, metaKey, altKey, ctrlKey, shiftKey }: MouseEvent): boolean =>
  button === 0 && !metaKey && !altKey && !ctrlKey && !shiftKey
