// All tables of the database.
import * as accounts from './accounts.ts'
import * as audit from './audit.ts'
import * as dns from './dns.ts'
import * as firewall from './firewall.ts'
import * as monitoring from './monitoring.ts'
import * as zones from './zones.ts'

export const TABLES = { ...accounts, ...audit, ...dns, ...firewall, ...monitoring, ...zones }
