// The settings of a zone's monitoring: collecting, sampling, retention, counters, webhooks, evidence.
import { useQuery } from '@tanstack/react-query'
import { Link, useLoaderData } from '@tanstack/react-router'
import { changeMonitoring, monitoringOf, type WirePageShield } from '../../api/monitoring.ts'
import { evidencePath, retentionOf, samplingOf } from '../../api/monitoring-settings.ts'
import type { WireZone } from '../../api/zones.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Section } from '../../parts/section.tsx'
import { Failure, Loading } from '../../parts/states.tsx'
import { useZoneAction } from '../../parts/zone-action.ts'
import { strings } from '../../strings.ts'
import { monitoringSettingStrings as text } from '../../strings/monitoring-settings.ts'
import { EmailAlerts } from './email-alerts.tsx'
import { FetchingSection } from './fetching-section.tsx'
import { ReportCounts } from './report-counts.tsx'
import { RetentionSection } from './retention-section.tsx'
import { SamplingSection } from './sampling-section.tsx'
import { Webhooks } from './webhooks.tsx'

export function MonitoringSettingsScreen() {
  const zone = useLoaderData({ from: '/frame/zones/$zone' })
  const settings = useQuery(monitoringOf(zone.id))
  const sampling = useQuery(samplingOf(zone.id))
  const retention = useQuery(retentionOf(zone.id))
  const failed = [settings, sampling, retention].find(({ error }) => error !== null)
  return (
    <>
      <title>{`${text.title} · ${zone.name} · ${strings.product}`}</title>
      <PageHead title={text.title} intro={text.intro} />
      {failed !== undefined && failed.error !== null && (
        <Failure error={failed.error} onRetry={() => void failed.refetch()} />
      )}
      {failed === undefined && settings.isPending && <Loading />}
      {settings.data !== undefined && <Collecting zone={zone} settings={settings.data} />}
      <ReportCounts zone={zone} />
      {sampling.data !== undefined && (
        <SamplingSection key={`sampling ${zone.id}`} zone={zone} sampling={sampling.data} />
      )}
      {retention.data !== undefined && (
        <RetentionSection key={`retention ${zone.id}`} zone={zone} retention={retention.data} />
      )}
      <FetchingSection zone={zone} />
      <EmailAlerts zone={zone} />
      <Webhooks zone={zone} />
      <Evidence zone={zone} />
    </>
  )
}

interface CollectingProps {
  readonly zone: WireZone
  readonly settings: WirePageShield
}

function Collecting({ zone, settings }: CollectingProps) {
  const action = useZoneAction(zone.id)
  const { enabled, use_service_reporting_endpoint: service, use_connection_url_path: path } = settings
  const change = (body: Parameters<typeof changeMonitoring>[1], done: string): void =>
    action.mutate({ run: () => changeMonitoring(zone.id, body), done })
  const option = (label: string, isOn: boolean, onChange: (isOn: boolean) => void) => (
    <label className="opt">
      <input
        type="checkbox"
        role="switch"
        className="ck"
        checked={isOn}
        disabled={action.isPending}
        onChange={({ target }) => onChange(target.checked)}
      />
      <span>{label}</span>
    </label>
  )
  return (
    <Section title={text.collect} mark={!enabled ? 'warning' : undefined}>
      <div className="stack">
        <div>
          {option(text.enabled, enabled, (isOn) =>
            change({ enabled: isOn }, isOn ? text.turnedOn : text.turnedOff),
          )}
          {service !== undefined &&
            option(text.service, service, (isOn) =>
              change({ use_service_reporting_endpoint: isOn }, text.saved),
            )}
          {option(text.path, path, (isOn) => change({ use_connection_url_path: isOn }, text.saved))}
        </div>
        <p className="soft small">{text.next}</p>
        <Problem error={action.error} />
      </div>
    </Section>
  )
}

function Evidence({ zone }: { readonly zone: WireZone }) {
  return (
    <Section title={text.evidence} note={text.evidenceNote}>
      <div className="stack">
        <p className="prose">
          {text.evidenceIntro}{' '}
          <Link className="link" to="/zones/$zone/scripts" params={{ zone: zone.name }}>
            {text.toScripts}
          </Link>
        </p>
        <div className="row">
          <a className="btn" href={evidencePath(zone.id, 'html')} target="_blank" rel="noreferrer">
            {text.evidencePage}
          </a>
          <a className="btn" href={evidencePath(zone.id, 'csv')} download>
            {text.evidenceScripts}
          </a>
          <a className="btn" href={evidencePath(zone.id, 'csv_events')} download>
            {text.evidenceEvents}
          </a>
        </div>
      </div>
    </Section>
  )
}
