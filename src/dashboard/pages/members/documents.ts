import { graphql, type ResultOf } from '../../api/graphql.ts';

export const membersDocument = graphql(`
  query Members {
    members {
      userId
      name
      email
      role
      createdAt
      twoFactorEnabled
      hasPassword
      lastSignInAt
    }
  }
`);

export type Member = ResultOf<typeof membersDocument>['members'][number];

export const inviteMemberDocument = graphql(`
  mutation InviteMember($email: String!, $name: String, $role: Role!, $replaces: ID) {
    inviteMember(email: $email, name: $name, role: $role, replaces: $replaces) {
      invitation {
        email
      }
    }
  }
`);

export const invitationsDocument = graphql(`
  query Invitations {
    invitations {
      id
      email
      name
      role
      invitedBy
      expiresAt
    }
  }
`);

export type Invitation = ResultOf<typeof invitationsDocument>['invitations'][number];

export const revokeInvitationDocument = graphql(`
  mutation RevokeInvitation($id: ID!) {
    revokeInvitation(id: $id)
  }
`);

export const secondFactorRolesDocument = graphql(`
  query SecondFactorRoles {
    organizationSettings {
      secondFactorRoles
    }
  }
`);

export const setSecondFactorRolesDocument = graphql(`
  mutation SetSecondFactorRoles($roles: [Role!]!) {
    updateOrganizationSettings(input: { secondFactorRoles: $roles }) {
      secondFactorRoles
    }
  }
`);

export const setMemberRoleDocument = graphql(`
  mutation SetMemberRole($userId: ID!, $role: Role!) {
    setMemberRole(userId: $userId, role: $role) {
      userId
      role
    }
  }
`);

export const removeMemberDocument = graphql(`
  mutation RemoveMember($userId: ID!) {
    removeMember(userId: $userId)
  }
`);
