// The frame around every screen: top bar, navigation, the sheet, status line.
import { Outlet, useNavigate, useParams } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { strings } from '../strings.ts'
import { CrumbDetails } from './crumb-detail.tsx'
import { Navigation } from './navigation.tsx'
import type { PaletteRequest } from './palette.tsx'
import { rememberZone } from './recent-zones.ts'
import { useShortcuts } from './shortcuts.ts'
import { StatusLine } from './status-line.tsx'
import { Toasts } from './toasts.tsx'
import { TopBar } from './top-bar.tsx'

const KeyList = lazy(async () => ({ default: (await import('./key-list.tsx')).KeyList }))

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }))

/** Ctrl+K or ⌘K, also while a field has the focus. */
function usePaletteKey(open: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      open()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  })
}

/** The zone of the URL, or the last one that was open: its pages stay in the navigation. */
function useLastZone(): string | undefined {
  const { zone } = useParams({ strict: false })
  const [last, setLast] = useState(zone)
  useEffect(() => {
    if (zone === undefined) return
    setLast(zone)
    rememberZone(zone)
  }, [zone])
  return zone ?? last
}

type ZonePage =
  | '/zones/$zone'
  | '/zones/$zone/records'
  | '/zones/$zone/history'
  | '/zones/$zone/scripts'
  | '/zones/$zone/policies'
  | '/zones/$zone/rules'
  | '/zones/$zone/activity'

export function Shell() {
  const zone = useLastZone()
  const [isMenuOpen, setMenuOpen] = useState(false)
  const [areKeysOpen, setKeysOpen] = useState(false)
  const [palette, setPalette] = useState<PaletteRequest>()
  usePaletteKey(() => setPalette({ start: '' }))
  const navigate = useNavigate()
  const inZone = (to: ZonePage) => () => {
    if (zone !== undefined) void navigate({ to, params: { zone } })
  }
  useShortcuts({
    'g z': () => void navigate({ to: '/zones' }),
    'g o': inZone('/zones/$zone'),
    'g r': inZone('/zones/$zone/records'),
    'g h': inZone('/zones/$zone/history'),
    'g s': inZone('/zones/$zone/scripts'),
    'g p': inZone('/zones/$zone/policies'),
    'g f': inZone('/zones/$zone/rules'),
    'g a': inZone('/zones/$zone/activity'),
    '?': () => setKeysOpen(true),
  })
  return (
    <Toasts>
      <CrumbDetails>
        <div className="app">
          <a className="skip" href="#main">
            {strings.shell.skip}
          </a>
          <TopBar
            onMenu={() => setMenuOpen(!isMenuOpen)}
            isMenuOpen={isMenuOpen}
            onJump={(start) => setPalette({ start })}
          />
          <Navigation zone={zone} isOpen={isMenuOpen} onChosen={() => setMenuOpen(false)} />
          <main className="sheet" id="main" tabIndex={-1}>
            <Outlet />
          </main>
          <StatusLine onKeys={() => setKeysOpen(true)} />
        </div>
      </CrumbDetails>
      {palette !== undefined && (
        <Suspense>
          <Palette zone={zone} request={palette} onClose={() => setPalette(undefined)} />
        </Suspense>
      )}
      {areKeysOpen && (
        <Suspense>
          <KeyList onClose={() => setKeysOpen(false)} />
        </Suspense>
      )}
    </Toasts>
  )
}
