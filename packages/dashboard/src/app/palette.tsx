// The palette: zones, pages and commands by typing, arrows and Enter.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useId, useRef, useState } from 'react'
import { zonesMatching } from '../api/zones.ts'
import { useDelayed } from '../parts/delayed.ts'
import { Icon } from '../parts/icon.tsx'
import { paletteStrings as text } from '../strings/palette.ts'
import { isName, labelParts, paletteItems, readTyped, type PaletteItem } from './palette-items.ts'
import { pinnedZones, togglePin } from './pinned-zones.ts'
import { recentZones } from './recent-zones.ts'
import { setTheme } from './theme.ts'

const TYPING_MILLIS = 80

/** What the visitor asked for: a new object each time. */
export interface PaletteRequest {
  /** What is typed at first: `@` to switch the zone. */
  readonly start: string
}

interface PaletteProps {
  readonly zone: string | undefined
  readonly request: PaletteRequest
  readonly onClose: () => void
}

export function Palette({ zone, request, onClose }: PaletteProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [typed, setTyped] = useState(request.start)
  const [at, setAt] = useState(0)
  const id = useId()
  const router = useRouter()
  const { words } = readTyped(useDelayed(typed, TYPING_MILLIS))
  const { data: found = [], isPlaceholderData } = useQuery({
    ...zonesMatching(words),
    enabled: words !== '',
    placeholderData: keepPreviousData,
  })
  useEffect(() => {
    if (dialog.current === null || dialog.current.open) return
    setTyped(request.start)
    setAt(0)
    dialog.current.showModal()
  }, [request])
  const items = paletteItems(typed, {
    zone,
    path: router.state.location.pathname,
    recent: recentZones(),
    pinned: pinnedZones(),
    found: found.map(({ name }) => name),
    foundFor: isPlaceholderData ? '' : words,
  })
  const chosen = items[Math.min(at, items.length - 1)]
  const run = ({ target }: PaletteItem): void => {
    dialog.current?.close()
    if ('theme' in target) setTheme(target.theme)
    else if ('pin' in target) togglePin(target.pin)
    else router.history.push(target.path)
  }
  const onKey = (event: React.KeyboardEvent): void => {
    if (event.key === 'ArrowDown') setAt((at + 1) % Math.max(1, items.length))
    else if (event.key === 'ArrowUp') setAt((at - 1 + items.length) % Math.max(1, items.length))
    else if (event.key === 'Enter' && chosen !== undefined) run(chosen)
    else return
    event.preventDefault()
  }
  return (
    <dialog
      ref={dialog}
      className="float pal"
      aria-label={text.label}
      onClose={({ currentTarget }) => {
        // The event comes after the dialog has closed, and the palette may have been asked for again.
        if (!currentTarget.open) onClose()
      }}
    >
      <label className="q">
        <Icon name="search" />
        <input
          role="combobox"
          aria-expanded
          aria-controls={`${id}list`}
          aria-activedescendant={chosen === undefined ? undefined : `${id}${items.indexOf(chosen)}`}
          aria-label={text.label}
          value={typed}
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => {
            setTyped(target.value)
            setAt(0)
          }}
          onKeyDown={onKey}
        />
      </label>
      <PaletteList id={id} items={items} words={readTyped(typed).words} chosen={chosen} onRun={run} />
      <div className="ft wide">
        <span>
          <kbd>↵</kbd> {text.keys.open}
        </span>
        <span>
          <kbd>&gt;</kbd> {text.keys.commands}
        </span>
        <span>
          <kbd>@</kbd> {text.keys.zones}
        </span>
      </div>
    </dialog>
  )
}

interface PaletteListProps {
  readonly id: string
  readonly items: readonly PaletteItem[]
  readonly words: string
  readonly chosen: PaletteItem | undefined
  readonly onRun: (item: PaletteItem) => void
}

function PaletteList({ id, items, words, chosen, onRun }: PaletteListProps) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // Newer browsers return a promise, which is no cleanup.
    void list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  })
  return (
    <div ref={list} id={`${id}list`} className="pal-list" role="listbox" aria-label={text.label}>
      {items.length === 0 && <p className="pad soft">{text.nothing}</p>}
      {items.map((item, index) => (
        <div key={`${item.group}${item.label}`} role="presentation">
          {items[index - 1]?.group !== item.group && <h3 role="presentation">{text.groups[item.group]}</h3>}
          <div
            id={`${id}${index}`}
            role="option"
            className={item === chosen ? 'pal-item on' : 'pal-item'}
            aria-selected={item === chosen}
            onClick={() => onRun(item)}
          >
            <span className={isName(item) ? 'mono' : undefined}>
              {labelParts(item.label, words).map(({ text: part, isTyped }, place) =>
                isTyped ? <b key={`${place}${part}`}>{part}</b> : part,
              )}
            </span>
            {item.keys !== undefined && (
              <span>
                {item.keys.split(' ').map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </span>
            )}
          </div>
        </div>
      ))}
    </div>
  )
}
