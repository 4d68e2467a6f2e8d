// Deletes what nothing brings back: asks once more in its place, and Esc leaves that.
// The second button never has the focus by itself: Enter twice deletes nothing. The focus stays on the first one while
// the deletion runs and if it fails, and goes to the next such button when that one is gone.
import { useLayoutEffect, useRef, useState } from 'react'
import { strings } from '../strings.ts'

interface DeleteButtonProps {
  readonly text: string
  /** What is read out: rows have the same text. */
  readonly label?: string
  readonly isBusy: boolean
  /** `link` in rows of tables. */
  readonly look?: 'btn' | 'link'
  readonly onDelete: () => void
}

export function DeleteButton({ text, label = text, isBusy, look = 'link', onDelete }: DeleteButtonProps) {
  const [state, setState] = useState<'new' | 'asked' | 'closed'>('new')
  const place = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    const shown = place.current
    // At this time it is still on the page.
    return () => {
      if (shown?.contains(document.activeElement) === true) focusBeside(shown)
    }
  }, [])
  const close = (): void => setState('closed')
  // A disabled button would lose the focus.
  const ifIdle = (press: () => void) => () => {
    if (!isBusy) press()
  }
  return (
    <span ref={place} className="deletes">
      {state !== 'asked' && (
        <button
          type="button"
          className={look}
          aria-label={label === text ? undefined : label}
          aria-disabled={isBusy}
          // It was not there while the question was.
          autoFocus={state === 'closed'}
          onClick={ifIdle(() => setState('asked'))}
        >
          {text}
        </button>
      )}
      {state === 'asked' && (
        <span
          className="asked"
          role="group"
          aria-label={label}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return
            event.stopPropagation()
            close()
          }}
        >
          <button
            type="button"
            className={look === 'link' ? 'link bad' : 'btn danger'}
            aria-disabled={isBusy}
            onClick={ifIdle(() => {
              close()
              onDelete()
            })}
          >
            {strings.deletion.confirm}
          </button>{' '}
          <button type="button" className={look} autoFocus onClick={close}>
            {strings.deletion.keep}
          </button>
        </span>
      )}
    </span>
  )
}

/** Where the question of another row is open, the button that keeps it: Enter deletes nothing. */
const UNASKED = ':scope > button, .asked > :last-child'

/** The next button that deletes in the same section, or the last one, or the section's heading. */
function focusBeside(gone: HTMLElement): void {
  const section = gone.closest('section') ?? gone.closest('main')
  const places = [...(section?.querySelectorAll<HTMLElement>('.deletes') ?? [])] // a page without sections
  const others = places.filter((place) => place !== gone)
  const button = (others[places.indexOf(gone)] ?? others.at(-1))?.querySelector<HTMLElement>(UNASKED)
  if (button) return button.focus()
  const heading = section?.querySelector<HTMLElement>('h1, h2')
  if (!heading) return
  heading.tabIndex = -1
  heading.focus()
}
