// E-mail alerts: events of client-side monitoring, sent to people.
import { Type, type Static } from 'typebox'
import { operations } from './operation.ts'
import { deliveredKinds, deliveryEnabled, deliveryStatus, DeliveryTest } from './page-shield-webhooks.ts'
import { PAGE_SHIELD_READ, PAGE_SHIELD_WRITE } from './page-shield.ts'
import { closedObject, namedObject, objectId, page, perPage, timestamp } from './primitives.ts'

const base = '/zonereeve/zones/{zone_id}/page_shield/email_alerts'

const MAX_ADDRESS_CHARACTERS = 254
const MAX_RECIPIENTS = 10
const MAX_DIGEST_MINUTES = 10_080
export const DEFAULT_DIGEST_MINUTES = 15
export const EMAIL_ALERTS_PER_PAGE = 20
/** Without quoted parts and comments, which nobody uses. */
const ADDRESS =
  "^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)+$"

const recipients = Type.Array(
  Type.String({
    pattern: ADDRESS,
    must: 'be an e-mail address',
    maxLength: MAX_ADDRESS_CHARACTERS,
    examples: ['security@example.com'],
  }),
  {
    minItems: 1,
    maxItems: MAX_RECIPIENTS,
    uniqueItems: true,
    description: 'Addresses that get the e-mails. All of them see each other.',
  },
)
const digestMinutes = Type.Integer({
  minimum: 1,
  maximum: MAX_DIGEST_MINUTES,
  default: DEFAULT_DIGEST_MINUTES,
  description: 'At most one e-mail in this time: later events are collected for the next one.',
})

const WireEmailAlert = namedObject('PageShieldEmailAlert', {
  id: objectId('the e-mail alert'),
  recipients,
  kinds: deliveredKinds,
  enabled: deliveryEnabled,
  digest_minutes: digestMinutes,
  created_on: timestamp('When it was created: later events are sent.'),
  status: deliveryStatus,
})
export type WireEmailAlert = Static<typeof WireEmailAlert>

const EmailAlertPost = closedObject({
  recipients,
  kinds: Type.Optional(deliveredKinds),
  enabled: Type.Optional(deliveryEnabled),
  digest_minutes: Type.Optional(digestMinutes),
})
export type EmailAlertPost = Static<typeof EmailAlertPost>

const EmailAlertPatch = Type.Partial(
  Type.Object({
    recipients,
    kinds: deliveredKinds,
    enabled: deliveryEnabled,
    digest_minutes: digestMinutes,
  }),
  { additionalProperties: false },
)
export type EmailAlertPatch = Static<typeof EmailAlertPatch>

const section = {
  tag: 'Client-side monitoring: extensions',
  params: { zone_id: objectId('the zone'), alert_id: objectId('the e-mail alert') },
}

export const pageShieldEmailAlerts = operations('page_shield.email_alerts', section, {
  list: {
    route: `GET ${base}`,
    summary: 'List the e-mail alerts of a zone',
    permission: PAGE_SHIELD_READ,
    query: Type.Object({ page, per_page: perPage(1, 100, EMAIL_ALERTS_PER_PAGE) }),
    onceInQuery: 'all',
    result: WireEmailAlert,
    list: true,
  },
  create: {
    route: `POST ${base}`,
    summary: 'Create an e-mail alert for events of a zone',
    description:
      'The first event is sent at once, later ones in digests. If the SMTP server does not take an e-mail, it is sent again with increasing delays. Refused if the server has no `--smtp-url`.',
    permission: PAGE_SHIELD_WRITE,
    body: EmailAlertPost,
    result: WireEmailAlert,
  },
  get: {
    route: `GET ${base}/{alert_id}`,
    summary: 'Get an e-mail alert with its delivery status',
    permission: PAGE_SHIELD_READ,
    result: WireEmailAlert,
  },
  edit: {
    route: `PATCH ${base}/{alert_id}`,
    summary: 'Change an e-mail alert',
    description:
      'Members that are not sent are not changed. After failures, waiting events are sent at once; a digest that is being collected keeps its time.',
    permission: PAGE_SHIELD_WRITE,
    body: EmailAlertPatch,
    result: WireEmailAlert,
  },
  test: {
    route: `POST ${base}/{alert_id}/test`,
    summary: 'Send a test to the recipients of an e-mail alert',
    description:
      'Sent at once, also while the alert is off. Waiting events stay. At most one test in 30 seconds for all alerts of a zone.',
    permission: PAGE_SHIELD_WRITE,
    body: closedObject({}),
    result: DeliveryTest,
  },
  delete: {
    route: `DELETE ${base}/{alert_id}`,
    summary: 'Delete an e-mail alert',
    description: 'Waiting events are not sent.',
    permission: PAGE_SHIELD_WRITE,
    result: Type.Object({ id: objectId('the e-mail alert') }),
  },
})
