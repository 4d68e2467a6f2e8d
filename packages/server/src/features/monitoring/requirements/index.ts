export { createRequirements } from './requirements.service.ts'
