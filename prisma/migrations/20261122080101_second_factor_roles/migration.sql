-- AlterTable
ALTER TABLE "organization_settings" ADD COLUMN     "second_factor_roles" "Role"[] DEFAULT ARRAY[]::"Role"[];
