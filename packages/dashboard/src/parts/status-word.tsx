// A state as mark and word; color is third, and normal has none.
import { Icon, type IconName } from './icon.tsx'

export type Tone = 'normal' | 'off' | 'expected' | 'warning' | 'wrong'

const LOOKS: Readonly<Record<Tone, { readonly icon: IconName; readonly className: string }>> = {
  normal: { icon: 'ring', className: 'st' },
  off: { icon: 'off', className: 'st dim' },
  expected: { icon: 'expected', className: 'st note' },
  warning: { icon: 'warning', className: 'st warn' },
  wrong: { icon: 'wrong', className: 'st bad' },
}

export function StatusWord({ tone, children }: { readonly tone: Tone; readonly children: string }) {
  const { icon, className } = LOOKS[tone]
  return (
    <span className={className}>
      <Icon name={icon} />
      {children}
    </span>
  )
}
