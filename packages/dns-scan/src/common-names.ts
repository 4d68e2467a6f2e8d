// Common names of zones, and the types queried for each. Nameservers do not list a zone to strangers: only queried
// names are found.
import { DATA_TYPE } from '@zonereeve/dns'

const codes = (...types: readonly (keyof typeof DATA_TYPE)[]): readonly number[] =>
  types.map((type) => DATA_TYPE[type])

/** Types queried at the apex; SOA and NS belong to the new zone itself. A CNAME is found with any type. */
export const APEX_TYPES = codes('A', 'AAAA', 'MX', 'TXT', 'CAA', 'HTTPS')
/** Types queried for a host; the first decides whether the name exists at all. */
export const HOST_TYPES = codes('A', 'AAAA', 'MX', 'TXT', 'CAA', 'HTTPS')

const words = (text: string): readonly string[] => text.trim().split(/\s+/)

const HOSTS = words(`
  www www1 www2 www3 web web1 web2 ww1 m mobile wap amp
  mail mail1 mail2 mail3 mx mx0 mx1 mx2 mx3 smtp smtp1 smtp2 imap pop pop3 webmail email exchange owa autodiscover
  autoconfig mta mta-sts relay out outbound newsletter list lists bounce bounces em email1 track click links go
  ns ns0 ns1 ns2 ns3 ns4 dns dns1 dns2
  ftp sftp ssh vpn remote rdp gateway gw firewall router proxy proxy1 bastion jump
  api api1 api2 v1 v2 app apps app1 admin administrator panel cpanel whm plesk console portal my account accounts
  dashboard manage control intranet extranet internal corp office hr
  dev develop developer developers test testing stage staging uat qa preview beta alpha demo sandbox prod live next old
  new local
  blog news forum forums community wiki docs doc help support faq kb status monitor stats statistics analytics
  metrics grafana prometheus kibana logs sentry zabbix nagios
  shop store cart checkout pay payment payments billing invoice order orders
  cdn cdn1 cdn2 static assets img img1 img2 images media video videos files file download downloads upload uploads
  data s3 storage backup backups archive
  git gitlab github svn ci jenkins build registry docker npm maven nexus sonar jira confluence redmine
  db db1 mysql postgres pgsql redis mongo elastic search solr ldap ad
  sso auth login id idp oauth accounts2 secure ssl
  chat meet video1 conference voice voip sip pbx phone lync lyncdiscover dialin teams msoid enterpriseenrollment
  enterpriseregistration
  cloud server server1 server2 host host1 host2 node node1 node2 vps vm k8s kubernetes cluster lb lb1 ingress edge
  home ip nas cam camera iot mqtt ws wss socket live1 stream streaming radio tv
  calendar cal drive sites careers jobs events info about contact survey feedback partner partners affiliate
  customer customers client clients members member user users crm erp lms learn moodle training academy
  de en fr es it nl pl us eu uk
`)

const STRINGS = words(`
  _dmarc _mta-sts _smtp._tls _spf _acme-challenge _dnslink _atproto _domainconnect _amazonses _github-challenge
  _vercel _netblocks default._bimi
  default._domainkey dkim._domainkey mail._domainkey smtp._domainkey email._domainkey mx._domainkey key1._domainkey
  key2._domainkey dkim1._domainkey dkim2._domainkey google._domainkey selector._domainkey selector1._domainkey
  selector2._domainkey s1._domainkey s2._domainkey s3._domainkey k1._domainkey k2._domainkey k3._domainkey
  sig1._domainkey m1._domainkey m2._domainkey mandrill._domainkey mailjet._domainkey zoho._domainkey
  fm1._domainkey fm2._domainkey fm3._domainkey protonmail._domainkey protonmail2._domainkey protonmail3._domainkey
  20230601._domainkey 20161025._domainkey cm._domainkey krs._domainkey pm._domainkey hs1._domainkey hs2._domainkey
  scph0221._domainkey ctct1._domainkey ctct2._domainkey dk._domainkey
`)

const SERVICES = words(`
  _sip._tcp _sip._udp _sip._tls _sips._tcp _sipfederationtls._tcp _xmpp-client._tcp _xmpp-server._tcp _jabber._tcp
  _caldav._tcp _caldavs._tcp _carddav._tcp _carddavs._tcp _imap._tcp _imaps._tcp _pop3._tcp _pop3s._tcp
  _submission._tcp _submissions._tcp _smtp._tcp _autodiscover._tcp _ldap._tcp _ldaps._tcp _gc._tcp _kerberos._tcp
  _kerberos._udp _kpasswd._tcp _kpasswd._udp _matrix._tcp _matrix-fed._tcp _minecraft._tcp _ts3._udp _stun._udp
  _stun._tcp _turn._udp _turn._tcp _h323cs._tcp _h323ls._udp _mongodb._tcp _etcd-server._tcp _vlmcs._tcp _puppet._tcp
  _ftp._tcp _http._tcp
`)

const TLS_SERVICES = words(
  `_25._tcp _443._tcp _25._tcp.mail _25._tcp.mx _443._tcp.www _465._tcp.mail _993._tcp.mail`,
)

/** A name relative to the zone, and the types to query, in order. */
export interface CommonName {
  readonly name: string
  readonly types: readonly number[]
}

export const COMMON_NAMES: readonly CommonName[] = [
  ...HOSTS.map((name) => ({ name, types: HOST_TYPES })),
  ...STRINGS.map((name) => ({ name, types: codes('TXT') })),
  ...SERVICES.map((name) => ({ name, types: codes('SRV') })),
  ...TLS_SERVICES.map((name) => ({ name, types: codes('TLSA') })),
]
