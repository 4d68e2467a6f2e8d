// What a rule does, as mark and word; color is third.
import { groupOf, type EventGroup } from './action-groups.ts'
import { actionName } from '../strings/actions.ts'
import { Icon, type IconName } from './icon.tsx'

const LOOKS: Readonly<Record<EventGroup, { readonly icon: IconName; readonly className: string }>> = {
  blocked: { icon: 'wrong', className: 'st bad' },
  challenged: { icon: 'question', className: 'st warn' },
  logged: { icon: 'lines', className: 'st note' },
  other: { icon: 'arrow', className: 'st' },
}

interface ActionWordProps {
  readonly action: string
  /** Of a rule that is disabled: the mark stays, the color goes. */
  readonly isOff?: boolean
}

export function ActionWord({ action, isOff = false }: ActionWordProps) {
  const { icon, className } = LOOKS[groupOf(action)]
  return (
    <span className={isOff ? 'st dim' : className}>
      <Icon name={icon} />
      {actionName(action)}
    </span>
  )
}
