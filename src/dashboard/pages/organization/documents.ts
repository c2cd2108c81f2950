import { graphql, type ResultOf } from '../../api/graphql.ts';

export const organizationProfileDocument = graphql(`
  query OrganizationProfile {
    organizationProfile {
      name
      logoPath
      brandColor
      brandTextColor
      timeZone
    }
    organizationSettings {
      rateLimitPerMinute
      defaultRateLimitPerMinute
      maximumRateLimitPerMinute
    }
  }
`);

export type RateLimits = ResultOf<typeof organizationProfileDocument>['organizationSettings'];

export type Profile = ResultOf<typeof organizationProfileDocument>['organizationProfile'];

export const updateOrganizationProfileDocument = graphql(`
  mutation UpdateOrganizationProfile($input: UpdateOrganizationProfileInput!) {
    updateOrganizationProfile(input: $input) {
      timeZone
    }
  }
`);

export const setOrganizationLogoDocument = graphql(`
  mutation SetOrganizationLogo($image: String!) {
    setOrganizationLogo(image: $image) {
      logoPath
    }
  }
`);

export const removeOrganizationLogoDocument = graphql(`
  mutation RemoveOrganizationLogo {
    removeOrganizationLogo {
      logoPath
    }
  }
`);

export const renameOrganizationDocument = graphql(`
  mutation RenameOrganization($name: String!) {
    renameOrganization(name: $name)
  }
`);

export const updateRateLimitDocument = graphql(`
  mutation UpdateRateLimit($input: UpdateOrganizationSettingsInput!) {
    updateOrganizationSettings(input: $input) {
      rateLimitPerMinute
    }
  }
`);
