import type { Texts } from '../../texts/index.ts'

export type SectionName = keyof Texts['settings']['sections']
type Section = { name: SectionName; needs?: string }

/** In the order of the side list. */
export const sectionGroups: { name: keyof Texts['settings']['groups']; sections: Section[] }[] = [
  {
    name: 'here',
    sections: [
      { name: 'environment' },
      { name: 'channels', needs: 'channels' },
      { name: 'statuses' },
      { name: 'tags' },
      { name: 'configurations', needs: 'configurations' },
      { name: 'email-templates', needs: 'tokens' },
    ],
  },
  {
    name: 'access',
    sections: [
      { name: 'users', needs: 'users' },
      { name: 'tokens', needs: 'tokens' },
      { name: 'applications', needs: 'tokens' },
      { name: 'webhooks', needs: 'webhooks' },
    ],
  },
  {
    name: 'operation',
    sections: [
      { name: 'mailbox', needs: 'tokens' },
      { name: 'jobs', needs: 'tokens' },
      { name: 'audit', needs: 'tokens' },
    ],
  },
]

export const pathOf = (name: SectionName): string =>
  name === 'environment' ? '/settings' : `/settings/${name}`
