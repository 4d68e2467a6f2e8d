// The form for a new threat feed.
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { addFeed, type ThreatFeedPost } from '../../api/feeds.ts'
import { Field } from '../../parts/field.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { FormFoot } from '../../parts/form-foot.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Section } from '../../parts/section.tsx'
import { feedStrings } from '../../strings/feeds.ts'
import { useFeedAction } from './feed-action.ts'

const text = feedStrings.form

/** Their entries have no category of their own. */
const UNCATEGORIZED = ['hosts', 'adblock', 'plain'] as const
const FORMATS = ['urlhaus', 'threatfox', 'phishtank', 'openphish', ...UNCATEGORIZED] as const
const CATEGORIES = [
  'Malware',
  'Phishing',
  'Crypto mining',
  'Spyware',
  'Command-and-Control (C2) & Botnet',
  'Security threats',
] as const
const INTERVALS = [60, 360, 1440, 10080] as const
const DEFAULT_INTERVAL = 360

type Format = ThreatFeedPost['format']
const hasCategories = (format: Format): boolean => !UNCATEGORIZED.some((known) => known === format)

interface Entered {
  readonly name: string
  readonly format: Format
  readonly url: string
  readonly category: (typeof CATEGORIES)[number]
  readonly interval: number
}

const START: Entered = {
  name: '',
  format: 'urlhaus',
  url: '',
  category: 'Malware',
  interval: DEFAULT_INTERVAL,
}

const draftOf = ({ name, format, url, category, interval }: Entered): ThreatFeedPost => ({
  name: name.trim(),
  format,
  ...(url.trim() === '' ? {} : { url: url.trim(), interval_minutes: interval }),
  ...(hasCategories(format) ? {} : { categories: [category] }),
})

export function NewFeed({ onClose }: { readonly onClose: () => void }) {
  const [entered, setEntered] = useState(START)
  const navigate = useNavigate({ from: '/feeds' })
  const action = useFeedAction()
  const submit = (): void => {
    const draft = draftOf(entered)
    action.mutate({
      run: async () => {
        const { result } = await addFeed(draft)
        await navigate({ search: { feed: result.id } })
      },
      done: text.added(draft.name),
    })
  }
  return (
    <Section title={text.title} note={text.note} onEscape={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <FirstFields entered={entered} onChange={(next) => setEntered({ ...entered, ...next })} />
        <LaterFields entered={entered} onChange={(next) => setEntered({ ...entered, ...next })} />
        <Problem error={action.error} />
        <FormFoot label={text.submit} isBusy={action.isPending} onClose={onClose} />
      </form>
    </Section>
  )
}

interface FieldsProps {
  readonly entered: Entered
  readonly onChange: (next: Partial<Entered>) => void
}

function FirstFields({ entered: { name, format, url }, onChange }: FieldsProps) {
  return (
    <>
      <div className="g2">
        <TextField
          label={text.name}
          required
          autoFocus
          maxLength={200}
          value={name}
          onChange={(typed) => onChange({ name: typed })}
        />
        <Field label={text.format}>
          {(ids) => (
            <select
              {...ids}
              className="sel"
              value={format}
              onChange={({ target }) => onChange({ format: target.value as Format })} // of the options
            >
              {FORMATS.map((known) => (
                <option key={known} value={known}>
                  {text.formats[known]}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      <TextField
        label={text.url}
        hint={text.urlHint}
        type="url"
        value={url}
        onChange={(typed) => onChange({ url: typed })}
      />
    </>
  )
}

/** What is asked only for feeds with a URL, and for formats without categories. */
function LaterFields({ entered: { format, url, category, interval }, onChange }: FieldsProps) {
  return (
    <div className="g2">
      {url.trim() !== '' && (
        <Field label={text.interval}>
          {(ids) => (
            <select
              {...ids}
              className="sel"
              value={interval}
              onChange={({ target }) => onChange({ interval: Number(target.value) })}
            >
              {INTERVALS.map((minutes) => (
                <option key={minutes} value={minutes}>
                  {text.intervals[minutes]}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      {!hasCategories(format) && (
        <Field label={text.category}>
          {(ids) => (
            <select
              {...ids}
              className="sel"
              value={category}
              onChange={({ target }) => onChange({ category: target.value as typeof category })} // of the options
            >
              {CATEGORIES.map((known) => (
                <option key={known}>{known}</option>
              ))}
            </select>
          )}
        </Field>
      )}
    </div>
  )
}
