// The address that a webhook posts to: the first field of its form.
import { monitoringSettingStrings as text } from '../strings/monitoring-settings.ts'
import { TextField } from './text-field.tsx'

interface WebhookUrlFieldProps {
  readonly value: string
  readonly onChange: (value: string) => void
}

export const WebhookUrlField = ({ value, onChange }: WebhookUrlFieldProps) => (
  <TextField
    label={text.url}
    hint={text.urlHint}
    type="url"
    required
    autoFocus
    value={value}
    onChange={onChange}
  />
)
