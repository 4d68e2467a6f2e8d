// The lists that belong together, above them.
import { Link } from '@tanstack/react-router'
import { monitoringStrings } from '../../strings/monitoring.ts'

const text = monitoringStrings.tabs

const CODE_TABS = [
  { to: '/zones/$zone/scripts', name: text.scripts },
  { to: '/zones/$zone/code', name: text.code },
] as const

const LOAD_TABS = [
  { to: '/zones/$zone/connections', name: text.connections },
  { to: '/zones/$zone/frames', name: text.frames },
  { to: '/zones/$zone/images', name: text.images },
  { to: '/zones/$zone/forms', name: text.forms },
] as const

interface TabsProps {
  readonly zone: string
  readonly of: 'code' | 'loads'
}

export function InventoryTabs({ zone, of }: TabsProps) {
  return (
    <nav className="phases" aria-label={text.label}>
      {(of === 'code' ? CODE_TABS : LOAD_TABS).map(({ to, name }) => (
        <Link key={to} to={to} params={{ zone }} activeOptions={{ exact: true, includeSearch: false }}>
          {name}
        </Link>
      ))}
    </nav>
  )
}
