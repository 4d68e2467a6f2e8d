// The frame around every screen: top bar, navigation, the sheet, status line.
import { Outlet, useNavigate, useParams } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { strings } from '../strings.ts'
import { Navigation } from './navigation.tsx'
import { useShortcuts } from './shortcuts.ts'
import { StatusLine } from './status-line.tsx'
import { Toasts } from './toasts.tsx'
import { TopBar } from './top-bar.tsx'

const KeyList = lazy(async () => ({ default: (await import('./key-list.tsx')).KeyList }))

/** The zone of the URL, or the last one that was open: its pages stay in the navigation. */
function useLastZone(): string | undefined {
  const { zone } = useParams({ strict: false })
  const [last, setLast] = useState(zone)
  useEffect(() => {
    if (zone !== undefined) setLast(zone)
  }, [zone])
  return zone ?? last
}

export function Shell() {
  const zone = useLastZone()
  const [isMenuOpen, setMenuOpen] = useState(false)
  const [areKeysOpen, setKeysOpen] = useState(false)
  const navigate = useNavigate()
  const inZone = (to: '/zones/$zone' | '/zones/$zone/records' | '/zones/$zone/history') => () => {
    if (zone !== undefined) void navigate({ to, params: { zone } })
  }
  useShortcuts({
    'g z': () => void navigate({ to: '/zones' }),
    'g o': inZone('/zones/$zone'),
    'g r': inZone('/zones/$zone/records'),
    'g h': inZone('/zones/$zone/history'),
    '?': () => setKeysOpen(true),
  })
  return (
    <Toasts>
      <div className="app">
        <a className="skip" href="#main">
          {strings.shell.skip}
        </a>
        <TopBar onMenu={() => setMenuOpen(!isMenuOpen)} isMenuOpen={isMenuOpen} />
        <Navigation zone={zone} isOpen={isMenuOpen} onChosen={() => setMenuOpen(false)} />
        <main className="sheet" id="main" tabIndex={-1}>
          <Outlet />
        </main>
        <StatusLine onKeys={() => setKeysOpen(true)} />
      </div>
      {areKeysOpen && (
        <Suspense>
          <KeyList onClose={() => setKeysOpen(false)} />
        </Suspense>
      )}
    </Toasts>
  )
}
