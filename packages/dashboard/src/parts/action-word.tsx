// What a rule does, as mark and word; color is third.
import { groupOf, type EventGroup } from './action-groups.ts'
import { Icon, type IconName } from './icon.tsx'

const LOOKS: Readonly<Record<EventGroup, { readonly icon: IconName; readonly className: string }>> = {
  blocked: { icon: 'wrong', className: 'st bad' },
  challenged: { icon: 'question', className: 'st warn' },
  logged: { icon: 'lines', className: 'st note' },
  other: { icon: 'arrow', className: 'st' },
}

interface ActionWordProps {
  readonly action: string
  readonly children: string
}

export function ActionWord({ action, children }: ActionWordProps) {
  const { icon, className } = LOOKS[groupOf(action)]
  return (
    <span className={className}>
      <Icon name={icon} />
      {children}
    </span>
  )
}
