import { graphql, type ResultOf } from '../../api/graphql.ts';

export const membersDocument = graphql(`
  query Members {
    members {
      userId
      name
      email
      role
      createdAt
    }
  }
`);

export type Member = ResultOf<typeof membersDocument>['members'][number];

export const inviteMemberDocument = graphql(`
  mutation InviteMember($email: String!, $name: String!, $role: Role!) {
    inviteMember(email: $email, name: $name, role: $role) {
      temporaryPassword
      member {
        email
      }
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
