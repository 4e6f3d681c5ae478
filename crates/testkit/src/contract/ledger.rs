//! The contract of `loci_ledger::Ledger`, by topic.
//!
//! Call [`crate::ledger_contract!`] with an expression that makes an empty ledger and whatever must live as long as it.

pub mod accounts;
pub mod catalog;
pub mod claims;
pub mod clients;
pub mod evidence;
pub mod extractions;
pub mod files;
pub mod images;
pub mod jobs;
pub mod journal;
pub mod leases;
pub mod life;
pub mod numbers;
pub mod provenance;
pub mod purge;
pub mod recalls;
pub mod retention;
pub mod sample;
pub mod search;
pub mod sessions;
pub mod spend;
pub mod tasks;
pub mod tellings;
pub mod tombstones;
pub mod turns;
pub mod undo;
pub mod upkeep;
pub mod vectors;

/// Makes one test of each case: `ledger_contract!(#[tokio::test] => open_one())`, where the expression gives
/// `(ledger, kept)`; `kept` is dropped after the ledger.
#[macro_export]
macro_rules! ledger_contract {
    (#[$test:meta] => $make:expr) => {
        $crate::ledger_contract! { @ #[$test] $make,
            journal: intended_is_pending_and_in_no_log, settled_is_in_the_log_and_not_pending, a_change_comes_back_whole,
                settling_what_is_not_pending_does_nothing, intending_an_id_twice_does_nothing, pending_is_by_place_oldest_first,
                log_is_newest_first_whatever_the_clock, log_keeps_to_places_path_and_limit, noticed_is_settled_at_once,
                group_is_oldest_first_and_only_settled, names_are_never_read_as_sql;
            images: bytes_come_back, unknown_bytes_are_none, voided_goes_with_its_images, voiding_leaves_what_others_need,
                voiding_what_is_not_pending_does_nothing;
            undo: newest_group_first_then_the_next_older, undone_part_of_a_group_is_left_out, editors_and_undos_are_passed_over,
                pending_is_not_undoable, only_the_asked_places, undo_of_an_undo_brings_it_back, undo_of_an_undo_of_an_undo,
                noticed_undo_marks_too;
            retention: old_changes_go_with_their_images, pending_changes_stay, images_that_are_needed_stay,
                the_oldest_go_until_images_fit, nothing_to_prune_is_nothing;
            catalog: unknown_place_is_empty, rules_are_none_until_set, roots_have_their_identity, identity_may_change,
                notes_outlive_and_go, dropped_root_is_forgotten, dropping_keeps_the_others;
            files: paths_are_in_byte_order, known_file_has_its_mark, update_keeps_the_origin, index_head_leaves_out_the_unreadable,
                counts_follow_every_step, gone_is_gone, moved_carries_usage_pin_and_origin, moved_onto_another_replaces_it,
                files_may_change_places, a_restamped_file_is_the_same, a_step_in_order;
            life: touch_counts, touch_each_counts, pin_says_whether_it_changed, acceptance_is_of_bytes, life_belongs_to_the_identity,
                gone_loses_usage_and_pin, absent_keeps_usage_and_pin, settled_use_and_acceptance, life_before_the_file_is_known;
            search: counts_by_field_and_term, places_do_not_mix, rewritten_words_go, gone_words_go, moved_words_are_found,
                terms_are_never_a_query, other_scripts_and_signs, sizes_follow, unreadable_has_no_words, dropped_words_stay_away,
                many_rewrites_leave_one, one_by_one_is_as_good_as_at_once, moved_again_and_again, too_many_terms,
                words_in_a_row, a_row_is_never_a_query;
            numbers: searched_comes_back_whole, cards_are_by_number, unknown_place_has_none, a_rewrite_takes_a_higher_number,
                a_move_takes_a_higher_number, numbers_are_never_used_again, numbers_are_of_the_place,
                unreadable_has_no_number, generation_differs_with_every_document, generation_stays_for_all_else,
                generation_is_never_the_same_again, whoever_follows_the_numbers_misses_nothing;
            vectors: vectors_come_back_by_number, embedders_are_side_by_side, keeping_again_replaces,
                vectors_go_with_their_document, vectors_move_with_their_document, vectors_of_what_went_are_dropped,
                vectors_are_of_the_place, dropped_vectors_stay_away;
            recalls: a_receipt_comes_back, the_first_receipts_go, shown_is_by_path_and_once, showing_nothing_is_nothing,
                sessions_shown_nothing_for_longest_go, a_segment_is_the_last_one, receipts_with_a_text_go, segments_are_bounded_too;
            evidence: evidence_comes_back_whole, evidence_of_the_same_bytes_stays, evidence_of_other_bytes_goes,
                evidence_goes_and_moves_with_its_document, evidence_is_of_the_identity;
            tombstones: the_key_stays, buried_is_found_by_any_mark, graves_belong_to_the_identity, exhumed_is_gone;
            provenance: sources_come_back_in_order, the_same_message_is_noted_once, sources_are_bounded, forgotten_sources_are_gone;
            leases: a_lease_has_one_holder, a_lease_that_ran_out_is_taken, a_dead_holder_gives_way, tokens_only_grow,
                lease_is_fenced, a_lease_comes_back_whole, a_late_holder_may_renew;
            upkeep: a_cursor_comes_back, cursors_are_by_identity_and_session, sessions_read_since, one_request_waits,
                a_request_is_taken_once, proposals_wait_in_order, upkeep_goes_with_its_root;
            spend: calls_add_up, days_are_utc_and_in_order, sums_are_bounded, calls_at_the_same_time_all_count,
                the_limit_holds_for_calls_at_the_same_time, a_call_that_was_not_made_is_taken_out;
            sessions: a_session_comes_back_whole, saying_replaces_the_rest, chunks_are_full_but_for_the_last,
                terms_are_compared_as_they_are, whose_keeps_them_apart, a_dropped_session_is_gone,
                a_change_makes_new_chunks_and_another_mark, sessions_are_by_their_last_words, makers_are_not_mixed;
            clients: a_client_is_known_by_its_whole_name, the_first_clients_go, a_token_comes_back_by_its_hash,
                a_name_is_given_once, a_removed_token_is_gone;
            tasks: a_task_comes_back_whole, a_lane_has_room_for_so_many, tasks_start_in_their_order,
                only_its_own_run_ends_a_task, cancelled_tasks_do_not_run, running_tasks_are_unsettled,
                the_oldest_that_are_over_go, tasks_are_listed_by_client, purging_drops_tasks_that_are_over;
            jobs: a_job_comes_back_whole, asking_again_is_one_job, asked_while_it_runs_is_done_again, claim_is_fenced,
                the_longest_waiting_is_claimed_first, a_dead_holder_gives_its_job_up, a_claim_that_ran_out_is_taken,
                failures_wait_and_end, a_job_that_kills_its_worker_ends, retry_by_hand_starts_anew,
                marks_are_done_once, later_is_no_failure, tallies_add_up_and_are_told_once, kinds_and_projects_are_kept_apart,
                old_jobs_go;
            accounts: an_account_is_known_by_its_key, holdings_are_kept_apart, a_change_is_of_what_was_seen,
                holdings_are_bounded;
            turns: a_turn_comes_back_whole, an_event_is_taken_once, a_conversation_has_one_turn, turn_is_fenced,
                a_late_turn_that_nobody_took_may_end, an_event_may_be_tried_again, a_summary_covers_its_range,
                a_dropped_conversation_is_gone, lines_are_redacted_for_good, calls_are_found_among_many_words;
            tellings: tellings_come_in_order, the_first_tellings_go, a_listener_comes_back_whole;
            claims: cancelled_jobs_are_left_alone, unseated_jobs_wait_again, some_are_left_to_others;
            extractions: an_extraction_comes_back_whole, a_session_has_one_extraction,
                an_extraction_is_kept_by_who_holds_the_job, an_extraction_goes_with_its_session,
                a_handbook_is_made_up_to_a_change, redacted_extractions_say_it_no_more, a_cleared_project_starts_anew;
            purge: images_are_walked_by_digest, dropped_images_are_gone, files_of_images_are_named, a_path_gets_another_past,
                passed_over_is_not_undone, receipts_are_dropped, a_scrub_keeps_the_rest;
        }
    };
    (@ #[$test:meta] $make:expr, $($topic:ident: $($case:ident),+;)+) => {
        $(mod $topic {
            #[allow(unused_imports)]
            use super::*;
            $(
                #[$test]
                async fn $case() {
                    let (ledger, _kept) = $make;
                    $crate::contract::ledger::$topic::$case(&ledger).await;
                }
            )+
        })+
    };
}
