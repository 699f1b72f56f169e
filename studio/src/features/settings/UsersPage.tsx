import { Button, NativeSelect, Stack, Text, TextInput, Title } from '@mantine/core'
import type { Marquee } from 'marquee-sdk'
import { useMemo } from 'react'
import { useCan, useMe } from '../../api/access.ts'
import { api } from '../../api/client.ts'
import { refresh, usePages } from '../../api/queries.ts'
import type { Column } from '../../components/DataTable.tsx'
import { RelativeTime } from '../../components/RelativeTime.tsx'
import { toast, toastError } from '../../components/toast.tsx'
import { t } from '../../texts/index.ts'
import { FormEnd } from './parts/FormEnd.tsx'
import { RecordSection } from './parts/RecordSection.tsx'
import { removeRecord, saveRecord } from './parts/records.ts'
import { removeLater } from './parts/remove-later.tsx'
import { useForm } from './parts/use-form.ts'
import classes from './Settings.module.css'

type User = Marquee.User
type Role = User['role']
const roles: Role[] = ['viewer', 'editor', 'admin', 'owner']

const useRoleChoices = () => {
  const me = useMe()
  const offered = me?.role === 'owner' ? roles : roles.filter((role) => role !== 'owner')
  return (held?: Role) =>
    [...offered, ...(held && !offered.includes(held) ? [held] : [])].map((role) => ({
      value: role,
      label: `${t.settings.users.roles[role]} – ${t.settings.users.roleHints[role]}`,
    }))
}

const useColumns = (): Column<User>[] => {
  const me = useMe()
  return useMemo(
    () => [
      {
        key: 'name',
        title: t.settings.name,
        width: 'minmax(140px, 2fr)',
        sortKey: 'name',
        small: 'first',
        render: ({ id, name }) => (
          <span className={`${classes.name} ellipsis`}>
            {name} {id === me?.id && <Text span c="dimmed" size="xs">{`(${t.settings.users.you})`}</Text>}
          </span>
        ),
      },
      {
        key: 'email',
        title: t.settings.users.email,
        width: 'minmax(140px, 2fr)',
        sortKey: 'email',
        keep: 3,
        small: 'second',
        render: ({ email }) => <span className="ellipsis">{email}</span>,
      },
      {
        key: 'role',
        title: t.settings.users.role,
        width: '110px',
        small: 'second',
        render: ({ role }) => t.settings.users.roles[role],
      },
      {
        key: 'two_factor',
        title: t.settings.users.twoFactor,
        width: '110px',
        keep: 1,
        render: ({ two_factor }) => (two_factor ? t.common.yes : t.common.no),
      },
      {
        key: 'last_seen',
        title: t.settings.users.lastSeen,
        width: '120px',
        sortKey: 'last_seen',
        keep: 2,
        render: ({ last_seen }) => <RelativeTime at={last_seen} />,
      },
    ],
    [me?.id],
  )
}

const UsersPage = () => {
  const can = useCan()
  const texts = t.settings.users
  return (
    <RecordSection<User>
      name="users"
      path="/users"
      columns={useColumns()}
      nameOf={({ name }) => name}
      empty={{ title: texts.list, hint: t.settings.hints.users }}
      add={can('users_publish') ? texts.invite : undefined}
    >
      {(row, close) => (row ? <UserForm user={row} close={close} /> : <Invitations />)}
    </RecordSection>
  )
}

const UserForm = ({ user, close }: { user: User; close: () => void }) => {
  const can = useCan()
  const me = useMe()
  const choices = useRoleChoices()
  const texts = t.settings.users
  const { id, name, email, role } = user
  const before = { name, email, role }
  const mayWrite = can('users_publish') && (role !== 'owner' || me?.role === 'owner')
  const form = useForm({ ...before, password: '' }, async ({ password, ...values }) => {
    await saveRecord('/users', user, values.name, { ...values, ...(password && { password }) }, before)
    close()
  })
  const remove = () => {
    close()
    removeLater(id, texts.removes(name), 'users', () => removeRecord('/users', id))
  }
  return (
    <form onSubmit={form.submit}>
      <Stack gap="md">
        <TextInput label={t.settings.name} readOnly={!mayWrite} {...form.text('name')} />
        <TextInput label={texts.email} type="email" readOnly={!mayWrite} {...form.text('email')} />
        <NativeSelect
          label={texts.role}
          disabled={!mayWrite || id === me?.id}
          {...form.text('role')}
          data={choices(role)}
        />
        {mayWrite && id !== me?.id && (
          <TextInput
            type="password"
            autoComplete="new-password"
            label={texts.password}
            description={texts.passwordHint}
            {...form.text('password')}
          />
        )}
        {mayWrite && (
          <FormEnd
            save={t.actions.save}
            busy={form.busy}
            onRemove={id === me?.id ? undefined : remove}
            removeText={texts.remove}
          />
        )}
      </Stack>
    </form>
  )
}

const Invitations = () => {
  const texts = t.settings.users
  const choices = useRoleChoices()
  const open = usePages('/invitations', { 'accepted[has]': 'false' }).rows
  const form = useForm(
    { email: '', role: 'editor' as Role },
    async ({ email, role }) => {
      await api.post('/invitations', { body: { email: email.trim(), role } })
      refresh('invitations')
      form.set({ email: '' })
      toast(texts.sent(email.trim()))
    },
    texts.inviting,
  )
  const withdraw = async ({ id, email, role }: Marquee.Invitation) => {
    try {
      await api.delete('/invitations/{id}', { path: { id } })
      refresh('invitations')
      toast(texts.withdrawn(email), async () => {
        await api.post('/invitations', { body: { email, role } })
        refresh('invitations')
      })
    } catch (error) {
      toastError(texts.withdraw, error)
    }
  }
  return (
    <Stack gap="xl">
      <form onSubmit={form.submit}>
        <Stack gap="md">
          <TextInput
            label={texts.invitee}
            type="email"
            required
            withAsterisk={false}
            data-autofocus
            {...form.text('email')}
          />
          <NativeSelect label={texts.role} {...form.text('role')} data={choices()} />
          <FormEnd save={texts.send} busy={form.busy} />
        </Stack>
      </form>
      <section>
        <Title order={3} size="sm">
          {texts.invitations}
        </Title>
        {open.length === 0 && (
          <Text size="sm" c="dimmed" mt={6}>
            {texts.none}
          </Text>
        )}
        {open.map((invitation) => (
          <div key={invitation.id} className={classes.row}>
            <div style={{ flex: 1, minWidth: 0 }}>
              <Text size="sm" className="ellipsis">
                {invitation.email}
              </Text>
              <Text size="xs" c="dimmed">
                {texts.roles[invitation.role]} ·{' '}
                {Date.parse(invitation.expires_on) < Date.now() ? texts.expired : texts.expires}{' '}
                <RelativeTime at={invitation.expires_on} />
              </Text>
            </div>
            <Button
              size="compact-sm"
              variant="default"
              title={texts.withdrawOf(invitation.email)}
              onClick={() => withdraw(invitation)}
            >
              {texts.withdraw}
            </Button>
          </div>
        ))}
      </section>
    </Stack>
  )
}

export default UsersPage
